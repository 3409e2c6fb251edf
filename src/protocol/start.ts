import { z } from 'zod'
import { auditWishesSchema } from './audits.ts'
import { viewSchema } from './points.ts'
import { classSchema, mostClasses, planSchema } from './project.ts'

/** Files that could be a pool and projects to go on with, in the directory the server was started in. */
export const filesSchema = z.object({
  directory: z.string(),
  pools: z.array(z.object({ path: z.string(), bytes: z.int() })),
  projects: z.array(
    z.object({
      path: z.string(),
      /** Missing where looking would have taken long. */
      answers: z.int().optional(),
      /** How often the model or the predictions are wrong, as far as that is on record. */
      error: z.object({ value: z.number(), low: z.number(), high: z.number(), isCertified: z.boolean() }).optional(),
    }),
  ),
})
export type Files = z.infer<typeof filesSchema>

const roleSchema = z.enum(['id', 'label', 'number', 'category', 'text', 'vector', 'show', 'ignored'])
export type Role = z.infer<typeof roleSchema>

const names = z.array(z.string())
const sentPath = z.string().min(1).max(4_096)

/** What columns are to be used for, where a person knows better; the rest is found out. */
const wishesSchema = z.object({
  id: z.string().optional(),
  label: z.string().optional(),
  features: names.optional(),
  text: names.optional(),
  category: names.optional(),
  number: names.optional(),
  vector: names.optional(),
  show: names.optional(),
  ignore: names.optional(),
})
export type Wishes = z.infer<typeof wishesSchema>

export const inspectSchema = z.object({ path: sentPath, wishes: wishesSchema })

/** What a column of predictions is for. */
const predictionRoleSchema = z.enum(['check', 'confidence', 'probability', 'compare', 'read', 'apart', 'id', 'out'])
export type PredictionRole = z.infer<typeof predictionRoleSchema>

/** Another way in which the same file can be read: what it is called, and the path that says so. */
const waySchema = z.object({ text: z.string(), path: z.string(), isChosen: z.boolean() })

/** What was understood of a file. Nothing has been drawn or written. */
export const inspectionSchema = z.object({
  path: z.string(),
  bytes: z.int(),
  /** How else it can be read. */
  ways: z.object({
    /** Of a workbook. */
    sheets: z.array(waySchema),
    /** Of a text that is not in UTF-8: the first line that tells them apart, in each. */
    encodings: z.array(waySchema.extend({ sample: z.string() })),
    /** Where numbers are written with a comma. */
    comma: z.object({ columns: names, example: z.string(), path: z.string(), isChosen: z.boolean() }).optional(),
  }),
  rows: z.int(),
  columns: z.array(
    z.object({
      name: z.string(),
      role: roleSchema,
      /** Why it is ignored, or what else is to be known of it. */
      reason: z.string().optional(),
      isShown: z.boolean(),
      /** A column of few values, left out, which may hold the answers. */
      looksLikeAnswers: z.boolean(),
      /** Names, addresses or phone numbers, by its name or cells. */
      isPersonal: z.boolean(),
      examples: names,
      /** Of a column of few different values: each with how often it is there. */
      values: z.array(z.object({ value: z.string(), count: z.int() })),
    }),
  ),
  /** The first rows, cell by cell in the order of the columns; of the first columns where there are many. */
  preview: z.array(z.array(z.string().nullable())),
  /** Whether the file looks like predictions to check or verdicts of a judge, why, and which column would be what. */
  recognised: z.object({
    kind: z.enum(['predictions', 'verdicts', 'grades']),
    isSure: z.boolean(),
    why: z.string(),
    roles: z.record(z.string(), predictionRoleSchema),
    good: z.string().optional(),
  }),
  /** About how many answers it takes to teach a model and to measure it this well. */
  prices: z.array(z.object({ tolerance: z.number(), learn: z.int(), measure: z.int() })),
  /** Why nothing can be learned from it, where that is so: it can be checked all the same. */
  unlearnable: z.string().optional(),
  view: viewSchema,
  /** For a bitmap: the first few pictures. */
  samples: z.array(z.array(z.number())),
  /** The values of a column that looks like answers, as a proposal. */
  classes: z.array(classSchema),
  question: z.string(),
  /** NAME.alis that would be made. */
  project: z.string(),
})
export type Inspection = z.infer<typeof inspectionSchema>

/** Begins a project that learns or one that audits, or, where only `project` is given, opens one. */
export const beginSchema = z.union([
  z.strictObject({ project: sentPath }),
  z.strictObject({
    path: sentPath,
    project: sentPath,
    wishes: wishesSchema,
    classes: z.array(classSchema).min(2).max(mostClasses),
    question: z.string().min(1).max(1_000),
    guidelines: z.string().max(100_000),
    plan: planSchema,
    start: z.int().min(1).max(10_000),
    loss: z.string().optional(),
    l2: z.number().gt(0).optional(),
    weighting: z.number().min(0).max(1).optional(),
    know: z.number().min(0).max(1).optional(),
    seed: z.int().min(0).optional(),
  }),
  z.strictObject({
    path: sentPath,
    project: sentPath,
    audit: auditWishesSchema,
    /** Answers people choose from; predictions may name others, which are then wrong. */
    classes: z.array(classSchema).min(2).max(mostClasses),
    question: z.string().min(1).max(1_000),
    guidelines: z.string().max(100_000),
    seed: z.int().min(0).optional(),
  }),
])
export type Begin = z.input<typeof beginSchema>
/** As it arrives: with what is usual where nothing was said. */
export type BeginWishes = z.output<typeof beginSchema>

/** A set to try the page on, copied to where files are looked for; no classes: those in the file. */
export const sampleSchema = z.object({ path: z.string(), question: z.string(), classes: names })
export type SampleFile = z.infer<typeof sampleSchema>

/** A file that was dropped on the page, now beside the others. */
export const uploadedSchema = z.object({ path: z.string() })
