/**
 * A text as folded characters, so that what people take for the same reads the same: NFKC, lower case, and everything that is
 * neither letter, digit nor symbol a boundary.
 *
 *   "Win £5 NOW!"  →  0 w i n 0 −£ 0 5 0 n o w 0
 *
 * Words stand between zeros. A character of a script written without spaces (Chinese, Japanese) and a symbol (£, ♥) are words by
 * themselves, negated here: pairs of words are then pairs of characters.
 */
export function folder() {
  let codes = new Int32Array(0)
  const makeRoom = (characters: number) => {
    const most = 2 * characters + 2 // a symbol takes two places
    if (codes.length < most) codes = new Int32Array(2 * most)
  }
  return {
    /** What was folded last; another array after a longer text than ever before. */
    get codes(): Int32Array {
      return codes
    },
    /** Folds a text into `codes` and returns how many of them count. */
    fold(text: string): number {
      makeRoom(text.length)
      const length = foldPlain(text, codes)
      if (length > 0) return length
      const normal = text.normalize('NFKC').toLowerCase()
      makeRoom(normal.length)
      return foldAny(normal, codes)
    },
  }
}

// The loops are functions of their arguments alone: that is what the compiler makes fast.

/** Folds a text in ASCII and returns the length, or 0 if a character is of another kind. */
function foldPlain(text: string, codes: Int32Array): number {
  let end = 1
  codes[0] = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return 0
    end = append(codes, end, plain[code]!)
  }
  return append(codes, end, 0)
}

function foldAny(text: string, codes: Int32Array): number {
  let end = 1
  codes[0] = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!
    if (code > 0xffff) i++
    const kind = kindOf(code)
    if (kind !== Kind.silent) end = append(codes, end, kind === Kind.word ? code : kind === Kind.alone ? -code : 0)
  }
  return append(codes, end, 0)
}

/** Adds a folded character; symbols come between zeros, and never two zeros in a row. */
function append(codes: Int32Array, end: number, folded: number): number {
  if (folded > 0) {
    codes[end] = folded
    return end + 1
  }
  if (codes[end - 1] !== 0) codes[end++] = 0
  if (folded === 0) return end
  codes[end] = folded
  codes[end + 1] = 0
  return end + 2
}

const Kind = { unknown: 0, word: 1, alone: 2, boundary: 3, silent: 4 } as const

/** Kinds of characters, found out when first met. */
const known = new Uint8Array(0x110000)

function kindOf(code: number): number {
  if (known[code] === Kind.unknown) known[code] = findKind(code)
  return known[code]!
}

function findKind(code: number): number {
  const character = String.fromCodePoint(code)
  // Accents that found no letter to join (as in İ → i̇), joiners and variants of emoji: "the same" with and without.
  if (isBetween(code, 0x300, 0x36f) || isBetween(code, 0x200b, 0x200d) || isBetween(code, 0xfe00, 0xfe0f)) return Kind.silent
  if (/\p{Emoji_Modifier}/u.test(character)) return Kind.silent
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{S}/u.test(character)) return Kind.alone
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? Kind.word : Kind.boundary
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}

/** ASCII folded: lower case, symbols negated, the rest 0. */
const plain = Int32Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase()
  const kind = findKind(code)
  return kind === Kind.word ? character.charCodeAt(0) : kind === Kind.alone ? -code : 0
})
