import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { type CompiledModule, Instance, Module, type SharedMemory } from './webassembly.ts'

/**
 * The functions of src/engines/kernels/assembly and their parameters, in order. Addresses are bytes from the start of the memory that
 * an instance works on.
 */
export const signatures = {
  scoreDense: 'features rows columns weights intercepts count out',
  scoreBytes: 'features rows stride weights scales intercepts count out',
  scoreSparse: 'starts indices values rows weights intercepts count out',
  floatScoreDense: 'row columns weights doubles intercept near table out',
  floatScoreBytes: 'row step bytes weights scale intercept out',
  floatScoreSparse: 'starts indices values weights doubles intercept near out',
  tallyDense: 'features rows columns weights intercept near scores doubtful taken table cells out doubt signs unsure',
  tallyDoubtful: 'features columns doubles intercept doubtful table cells out',
  tallyBytes: 'features rows stride weights scale intercept scores taken table cells out doubt signs unsure',
  tallySparse: 'starts indices values rows weights doubles intercept near scores taken table cells out doubt signs unsure',
  countVotes: 'features rows columns roots trees nodes leaves classes work out',
  clear: 'cells count',
  withdraw: 'scores table cells out',
  merge: 'into from count',
  gather: 'cells count out',
  statistics: 'scores rows classes doubt work labels out',
  statisticsDense: 'features rows columns weights doubles intercepts classes near doubt work labels out',
  firstSet: 'bits from end',
  countDiffering: 'own others count from bytes bits counts',
  removeVariance: 'features rows columns width first second vectors work statistics',
  census: 'statistics rows taken formula bins out',
  massTotals: 'statistics rows taken formula out',
  massAt: 'statistics row formula',
  pickByCell: 'low high cells rows first thresholds keyLow keyHigh found room',
  pickByMass: 'low high statistics rows first taken formula limit most keyLow keyHigh found room',
  project: 'features rows width vectors count out part parts',
  addRows: 'features rows width factors count vectors part parts',
  bend: 'features rows width vectors own shares count work out part parts',
  projectSparse: 'starts indices values rows vectors stride pairs out',
  addRowsSparse: 'starts indices values rows factors stride pairs vectors',
  squares: 'features rows width roots work out part parts',
  factor: 'squares width l2 out',
  solve: 'factor width vector',
  readAll: 'at bytes',
} as const

export type KernelName = keyof typeof signatures

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S

/** What a kernel is called with, by name. */
export type KernelArguments<Name extends KernelName> = { readonly [Each in Words<(typeof signatures)[Name]>]: number }

export type Kernels = { readonly [Name in KernelName]: (given: KernelArguments<Name>) => number }

/** What the kernels were built for, the fastest first. */
const builds = ['relaxed', 'simd'] as const

export interface KernelBuild {
  readonly name: (typeof builds)[number]
  readonly module: CompiledModule
}

// V8 begins with quickly compiled code and may stay with it for long: a fifth of the speed. These few functions are compiled well at once.
setFlagsFromString('--no-liftoff')

const compiled = builds.flatMap((name): KernelBuild[] => {
  try {
    const file = new URL(`./built/${name}.wasm`, import.meta.url)
    return [{ name, module: new Module(readFileSync(file)) }]
  } catch {
    return [] // a machine without it, or a file that is not there: the next is slower, and the same
  }
})

/** The fastest build that this machine can run; none where there is no SIMD, or where nothing was built. */
export const kernelBuild = compiled[0]

/** The build whose results are the same on every machine, to the last bit. */
export const portableBuild = compiled.find(({ name }) => name === 'simd')

/** The kernels on some memory. */
export function kernelsOn(module: CompiledModule, memory: SharedMemory): Kernels {
  const { exports } = new Instance<Record<KernelName, (...values: number[]) => number>>(module, { env: { memory } })
  const named = Object.entries(signatures).map(([kernel, parameters]) => {
    const names = parameters.split(' ')
    const call = exports[kernel as KernelName]
    const values = new Array<number>(names.length).fill(0)
    const callNamed = (given: Readonly<Record<string, number>>) => {
      for (let k = 0; k < names.length; k++) values[k] = given[names[k]!]!
      return call(...values)
    }
    return [kernel, callNamed]
  })
  return Object.fromEntries(named)
}
