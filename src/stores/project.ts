import type { Label } from '../core/record.ts'
import type { GrowingStore } from './store.ts'

/**
 * A project on disk, NAME.alis: the store of its run, and everything else that must not be lost. Whatever was awaited
 * survives the death of the process and of the machine. Nothing on record is ever changed or removed.
 */
export interface Project extends GrowingStore {
  /** Absolute path of NAME.alis. */
  readonly path: string
  /** Puts a named fact on record (`pool`, `recipe`, `settings`), as JSON. The newest wins; older ones stay on record. */
  remember(name: string, value: unknown): Promise<void>
  recall<T>(name: string): Promise<T | undefined>
  /** Once for each seal. */
  keepCertificate(certificate: SealedText): Promise<void>
  certificates(): Promise<readonly KeptCertificate[]>
  /** Every answer in order of arrival, also those that were replaced, taken back or revised since. */
  answers(): Promise<readonly GivenAnswer[]>
  /** Puts on record that something happened (`import`, `export`). */
  event(kind: string, detail?: unknown): Promise<void>
  /** `facts`: among the first so many of the record. */
  events(facts?: number): Promise<readonly ProjectEvent[]>
  /** Where the chain of facts has come to, or had with so many answers or events; undefined where there never were. */
  head(then?: { readonly answers: number } | { readonly events: number }): Promise<ChainHead | undefined>
  /** Writes a project NAME.alis as this one stands now, while work goes on. Features in `pool/` are left to be built again. */
  backup(path: string, progress?: (share: number) => void): Promise<void>
}

/** Facts on record, and the hash that all of them lead to: no other facts do. */
export interface ChainHead {
  readonly facts: number
  readonly hash: string
}

export interface ProjectOptions {
  readonly clock?: () => Date
  /** The annotator of answers that come without a name. Default `anonymous`. */
  readonly annotator?: string
}

export interface OpenOptions extends ProjectOptions {
  /** One process may write; any number may read beside it. Default `write`. */
  readonly mode?: 'write' | 'read'
}

/** A certificate as it is written to a file, and the seal that names it. */
export interface SealedText {
  readonly seal: string
  readonly text: string
}

export interface KeptCertificate extends SealedText {
  readonly time: string
}

export interface GivenAnswer {
  readonly round: number
  readonly id: string
  /** Null for "cannot tell", and where an answer was taken back. */
  readonly label: Label
  readonly kind: 'answer' | 'retraction' | 'revision'
  readonly annotator: string
  readonly time: string
}

export interface ProjectEvent {
  readonly kind: string
  readonly detail?: unknown
  readonly time: string
}
