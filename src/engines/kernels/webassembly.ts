/** What we use of WebAssembly. The types of Node leave it out, and those of the browser know no shared memory. */

declare const opaque: unique symbol
export interface CompiledModule {
  readonly [opaque]: 'module'
}

export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
  /** Adds pages of 64 KiB and returns how many there were. */
  grow(pages: number): number
}

interface WebAssemblyOfNode {
  readonly Module: new (bytes: Uint8Array) => CompiledModule
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number; readonly shared: true }) => SharedMemory
  readonly Instance: new <Exports>(
    module: CompiledModule,
    imports: { readonly env: { readonly memory: SharedMemory } },
  ) => { readonly exports: Exports }
}

export const { Module, Memory, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyOfNode }).WebAssembly
