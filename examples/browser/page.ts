// A page of one's own: drop a CSV, label, and read how good the model is. Nothing leaves the machine. To try it: npx vite examples/browser
import { dense, type Label, learn, logisticLearner, memoryEngine, memoryStore, type Oracle, strategies } from 'alis-learn'

const part = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Cells between commas, also in quotes. */
function tableOf(text: string): Table {
  const lines = text.trim().split(/\r?\n/)
  const cells = (line: string) =>
    (line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []).map((cell) =>
      cell
        .replace(/,$/, '')
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"'),
    )
  const [columns = [], ...rows] = lines.map(cells)
  return { columns: columns.slice(0, -1), rows: rows.map((row) => row.slice(0, columns.length - 1)) } // the match ends with an empty one
}

/** Columns of numbers, each brought to mean 0 and spread 1. */
function featuresOf({ columns, rows }: Table) {
  const numeric = [...columns.keys()].filter((j) => rows.every((row) => row[j]!.trim() !== '' && Number.isFinite(Number(row[j]))))
  if (numeric.length === 0) throw new Error('A column of numbers is required, got none')
  const scaled = numeric.map((j) => {
    const values = rows.map((row) => Number(row[j]))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
    return values.map((value) => (value - mean) / spread)
  })
  return dense(Float32Array.from(rows.flatMap((_, i) => scaled.map((column) => column[i]!))), numeric.length)
}

/** The person in front of the page: shows a point, and waits for a button. */
function person(table: Table, classes: readonly string[]): Oracle {
  return {
    name: 'person',
    async *label(ids) {
      for (const id of ids) yield { id, label: await answerTo(table, Number(id), classes) }
    },
    async close() {},
  }
}

function answerTo({ columns, rows }: Table, row: number, classes: readonly string[]): Promise<Label> {
  const shown = columns.flatMap((name, j) => {
    const [term, cell] = [document.createElement('dt'), document.createElement('dd')]
    term.textContent = name
    cell.textContent = rows[row]![j]!
    return [term, cell]
  })
  part('point').replaceChildren(...shown)
  return new Promise((resolve) => {
    const buttons = [...classes, null].map((label) => {
      const button = document.createElement('button')
      button.textContent = label ?? 'cannot tell'
      button.onclick = () => resolve(label)
      return button
    })
    part('answers').replaceChildren(...buttons)
  })
}

async function begin(file: File): Promise<void> {
  const table = tableOf(await file.text())
  const classes = part<HTMLInputElement>('classes')
    .value.split(',')
    .map((name) => name.trim())
  const ids = table.rows.map((_, row) => `${row}`)
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!
  const plan = { oracle: person(table, classes), learner: logisticLearner(), strategy: strategies.alis, classes, seed }
  const engine = memoryEngine({ ids, features: featuresOf(table) })
  const answers: (readonly [string, Label])[] = []
  for await (const round of learn({ ...plan, engine, store: memoryStore(), start: 5, batch: 5, rounds: 100 })) {
    answers.push(...round.answers)
    const percent = (share: number, round = Math.round) => `${round(100 * share)} %` // limits are rounded outward
    const { now } = round
    part('now').textContent = now
      ? `${round.labels} labels: the model is wrong on about ${percent(now.value)} of the others, surely between ${percent(now.low, Math.floor)} and ${percent(now.high, Math.ceil)}.`
      : `${round.labels} labels.`
    const link = document.createElement('a')
    link.href = `data:text/csv,${encodeURIComponent(['row,label', ...answers.map(([id, label]) => `${Number(id) + 1},${label ?? ''}`)].join('\n'))}`
    link.download = 'labels.csv'
    link.textContent = 'Save the labels'
    part('save').replaceChildren(link)
  }
}

const start = (file: File | undefined) =>
  file && begin(file).catch((error: unknown) => (part('now').textContent = error instanceof Error ? error.message : `${error}`))

part<HTMLInputElement>('file').onchange = ({ target }) => start((target as HTMLInputElement).files?.[0])
document.ondragover = (event) => event.preventDefault()
document.ondrop = (event) => {
  event.preventDefault()
  return start(event.dataTransfer?.files[0])
}
