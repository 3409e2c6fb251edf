import { requireInput } from '../core/errors.ts'
import { didYouMean } from '../core/nearest-name.ts'

/** What a prompt is made of: text, and the columns whose cells belong between. */
type Piece = string | { readonly column: string }

/** The places where `classes` or `range` belong, unless there is a column of that name. */
const ofAnswers = 'classes'

/**
 * A prompt with a place `{column}` for every cell that belongs in it, and `{classes}` for the names of the classes; `{{` and `}}` are braces. What stands
 * in braces and is no name, such as JSON, stays as it is.
 */
export function promptOf(template: string, columns: readonly string[], classes: readonly string[]) {
  const pieces = piecesOf(template, columns)
  const named = classes.join(', ')
  return (fields: Readonly<Record<string, string>>): string =>
    pieces
      .map((piece) => {
        if (typeof piece === 'string') return piece
        return piece.column === ofAnswers && !columns.includes(ofAnswers) ? named : (fields[piece.column] ?? '')
      })
      .join('')
}

function piecesOf(template: string, columns: readonly string[]): Piece[] {
  const names = [...columns, ...(columns.includes(ofAnswers) ? [] : [ofAnswers])]
  const pieces = template
    .split(/(\{\{|\}\}|\{[^{}"\n]*\})/)
    .filter((piece) => piece !== '')
    .map((piece): Piece => {
      if (piece === '{{' || piece === '}}') return piece[0]!
      if (!/^\{[^{}"\n:]+\}$/.test(piece)) return piece
      const column = piece.slice(1, -1).trim()
      const isThere = names.includes(column)
      const hint =
        didYouMean(column, names) ?? `Columns that are shown: ${columns.join(', ')}. --show adds others; {{ and }} are braces.`
      requireInput(isThere, `oracle prompt: a column that is shown is required in braces, got {${column}}`, hint)
      return { column }
    })
  const hasColumn = pieces.some((piece) => typeof piece !== 'string' && columns.includes(piece.column))
  requireInput(
    hasColumn,
    'oracle prompt: a place for a column is required, got none: every point would be asked about in the same words',
    `For example {${columns[0] ?? 'text'}}.`,
  )
  return pieces
}
