import { metricLabel, unitOf } from '../../metrics/metric-labels.ts'
import type { AskedAnswer } from '../../questions/ask.ts'
import { type CertifiedQuestion, limitsOfClaim, makerWords } from '../../questions/certificate.ts'
import { seedClaim, seedSource } from '../../questions/commitment.ts'
import { conductFacts } from '../../questions/conduct.ts'
import { signatureWords, signerWords } from '../../questions/signature.ts'
import { learnedWords, machinesIn, machineWords, rowLabels } from '../../questions/words.ts'
import { escapeHtml, factList } from '../../text/html.ts'
import { estimateText, fromToText, levelText, withDecimals } from '../../text/limits.ts'
import { count, counted, listed } from '../../text/wording.ts'
import { bandPicture, intervalPicture } from './pictures.ts'
import type { ClassRow, FoundError, Report, SliceTable } from './report.ts'
import { reportStyle } from './style.ts'

/** A report as one file that needs nothing else: every question, the confusion matrix, slices, and the errors that were found. */
export function reportPage(title: string, report: Report): string {
  const { certificate, path, classes, cells, slices, errors } = report
  const { claim, questions } = certificate
  const isTogether = questions.some(({ together }) => together)
  const level = listed([...new Set(questions.map((each) => levelText(each.level)))], 'or')
  const how = isTogether
    ? `All ranges hold at once, with ${level} confidence.`
    : `Each range holds by itself, with ${level} confidence.`
  const notSaid = [
    ...limitsOfClaim(certificate.rounds),
    seedClaim(certificate),
    makerWords(certificate.madeBy),
    ...(certificate.signature ? [signatureWords] : []),
  ]
  const sections = [
    path.length > 1 && questions[0] ? card('picture', '', '', bandPicture(path, questions[0])) : '',
    questions.length > 1 ? card('questions', 'What was asked', how, questionTable(questions)) : '',
    classes.length > 0 ? card('classes', 'By class', 'Each range holds by itself.', classTable(classes)) : '',
    cells.length > 0 ? card('mix', 'What is mistaken for what', 'Shares of all points.', matrix(classes, cells)) : '',
    ...slices.map((table) =>
      card(`by-${table.column}`, `Where it is worse: ${table.column}`, sliceNote(slices), sliceTable(table)),
    ),
    errors.length > 0 ? card('errors', `${counted(errors.length, 'error')} found so far`, errorNote, errorList(errors)) : '',
    card('rests', 'What this rests on', '', `<dl>\n${factList(factsOf(report))}\n</dl>`),
    card('open', 'What it does not say', '', `<ul>${notSaid.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`),
  ]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Report: ${escapeHtml(title)}</title>
<style>${reportStyle}</style>
<main>
<header>
<p class="eyebrow">${escapeHtml(title)} · ${counted(certificate.answers, 'answer')} of ${count(certificate.pool.size)} points</p>
<h1>${escapeHtml(claim)}</h1>
</header>
${sections.filter((section) => section !== '').join('\n')}
</main>
</html>
`
}

const errorNote =
  'Seen one by one by whoever answered. Not a fair picture of all errors: doubtful points are asked about more often.'

const sliceNote = (tables: readonly SliceTable[]) => {
  const rows = tables.reduce((sum, { rows }) => sum + rows.length, 0)
  return `These ranges, ${count(rows)} in all, hold together with that of the whole. “Surely worse” is said only where the range lies above that of the whole.`
}

function card(id: string, title: string, note: string, body: string): string {
  const head = title === '' ? '' : `<h2>${escapeHtml(title)}</h2>${note === '' ? '' : `<p class="note">${escapeHtml(note)}</p>`}`
  return `<section id="${escapeHtml(id)}">${head}${body}</section>`
}

/** "about 4.2 %", and the range; a state in words where there are no numbers. */
function cells(asked: AskedAnswer, limits: { low: number | null; high: number | null } = asked): string {
  const { low, high } = limits
  const { question, state, value } = asked
  if (value === null || low === null || high === null)
    return '<td class="number">–</td><td class="range">not defined: none there</td>'
  const writing = withDecimals({ low, high }, unitOf(question))
  const range = state === 'known' ? 'known' : fromToText({ low, high }, writing)
  const note = state === 'if any' ? ' if there are any' : state === 'contradiction' ? ' (certain; answers contradict)' : ''
  return `<td class="number">${estimateText(value, { low, high }, writing)}</td><td class="range">${range}${note}</td>`
}

function questionTable(questions: readonly CertifiedQuestion[]): string {
  const labels = rowLabels(questions)
  const rows = questions.map(
    (asked, k) =>
      `<tr><th scope="row">${escapeHtml(labels[k]!)}</th>${cells(asked, asked.together)}<td>${intervalPicture(asked, asked.together)}</td><td class="quiet">${counted(asked.answers, 'answer')}</td></tr>`,
  )
  return `<div class="scroll"><table><tbody>${rows.join('\n')}</tbody></table></div>`
}

function classTable(classes: readonly ClassRow[]): string {
  const rows = classes.map(
    ({ name, predicted, precision, recall }) =>
      `<tr><th scope="row" dir="auto">${escapeHtml(name)}</th><td class="number quiet">${count(predicted)}</td>${cells(precision)}<td>${intervalPicture(precision)}</td>${cells(recall)}<td>${intervalPicture(recall)}</td></tr>`,
  )
  return `<div class="scroll"><table><thead><tr><th></th><th class="number">Predicted</th><th colspan="3">When it says so, it is right</th><th colspan="3">Of those there are, it finds</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}

/** Rows are what was answered, columns what was predicted; the darker, the more. */
function matrix(classes: readonly ClassRow[], cells: Report['cells']): string {
  const wrong = cells.flatMap((row, k) => row.flatMap(({ value }, j) => (j === k ? [] : [value ?? 0])))
  const most = Math.max(...wrong, 1e-9)
  const head = classes.map(({ name }) => `<th scope="col" dir="auto">${escapeHtml(name)}</th>`).join('')
  const rows = cells.map((row, k) => {
    const own = row.map((asked, j) => {
      const { value, low, high } = asked
      if (value === null || low === null || high === null) return '<td>–</td>'
      const writing = withDecimals({ low, high }, 'share')
      const shade = j === k ? 0 : Math.round((40 * value) / most)
      return `<td class="${j === k ? 'right' : 'wrong'}" style="--shade:${shade}%"><b>${estimateText(value, { low, high }, writing)}</b><small>${fromToText({ low, high }, writing)}</small></td>`
    })
    return `<tr><th scope="row" dir="auto">${escapeHtml(classes[k]!.name)}</th>${own.join('')}</tr>`
  })
  return `<div class="scroll"><table class="matrix"><thead><tr><th></th>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div><p class="note">Rows are what was answered, columns what was predicted.</p>`
}

function sliceTable({ rows, whole }: SliceTable): string {
  const own = rows.map((asked) => {
    const { question, answers } = asked
    return `<tr><th scope="row" dir="auto">${escapeHtml(question.slice!.value)}<br><span class="quiet">${counted(answers, 'answer')} of ${count(asked.points)}</span></th>${cells(asked)}<td>${intervalPicture(asked)}</td><td>${isWorse(asked, whole) ? '<span class="flag">surely worse</span>' : ''}</td></tr>`
  })
  return `<div class="scroll"><table><tbody>${own.join('\n')}</tbody></table></div>`
}

/** Whether the ranges do not meet. */
const isWorse = ({ low }: AskedAnswer, { high }: AskedAnswer) => low !== null && high !== null && low > high

function errorList(errors: readonly FoundError[]): string {
  const items = errors.map(({ id, predicted, answer, fields }) => {
    const texts = Object.entries(fields).map(
      ([name, text]) => `<span class="quiet">${escapeHtml(name)}</span> <span dir="auto">${escapeHtml(text)}</span>`,
    )
    return `<li><div class="said"><b>${escapeHtml(id)}</b> <s dir="auto">${escapeHtml(predicted)}</s> → <b dir="auto">${escapeHtml(answer)}</b></div><div class="fields">${texts.join('<br>')}</div></li>`
  })
  return `<ol class="errors">${items.join('\n')}</ol>`
}

function factsOf({ certificate }: Report): [string, string][] {
  const {
    questions,
    rounds,
    pool,
    model,
    seed,
    seedChosen,
    unknown,
    answers,
    goal,
    reached,
    classes,
    seal,
    versions,
    learned,
    signature,
    committed,
  } = certificate
  const goals = [
    ...(goal.tolerance === undefined ? [] : [`±${goal.tolerance}`]),
    ...(goal.below === undefined ? [] : [`below ${goal.below}`]),
    ...(goal.budget === undefined ? [] : [counted(goal.budget, 'answer')]),
  ]
  const strategies = new Set(rounds.map(({ strategy }) => strategy))
  return [
    ...questions.slice(0, 1).flatMap(numbersOf),
    [
      'Answers',
      `${count(answers)}${machineWords(machinesIn(rounds), answers)}${unknown > 0 ? `, ${count(unknown)} of them "cannot tell"` : ''}`,
    ],
    ...(learned ? [['Starts from', learnedWords(learned)] as [string, string]] : []),
    ...(goals.length > 0 ? [['Goal', `${listed(goals, 'or')}${reached ? ', reached' : ''}`] as [string, string]] : []),
    ['Predictions', `${count(pool.size)}, ${pool.hash}`],
    ['Model', model],
    ...(classes.length > 0 ? [['Classes', classes.join(', ')] as [string, string]] : []),
    ['Strategy', [...strategies].join(', ')],
    ['Seed', `${seed}, ${seedSource({ seedChosen, committed })}`],
    ...conductFacts(certificate.conduct),
    ['Seal of the certificate', seal],
    ['Signed by', signerWords(signature)],
    ['Release', versions.alis],
  ]
}

/** Estimate and interval, where there are any. */
function numbersOf({ question, value, low, high, level, state }: CertifiedQuestion): [string, string][] {
  if (value === null || low === null || high === null) return []
  const writing = withDecimals({ low, high }, unitOf(question))
  const limits: [string, string] = [`${levelText(level)} interval`, `${fromToText({ low, high }, writing)}, valid at every look`]
  return [
    [`Estimated ${metricLabel(question)}`, estimateText(value, { low, high }, writing)],
    ...(state === 'known' ? [] : [limits]),
  ]
}
