/** What we use of WebAssembly: the types of Node leave it out, and we compile without those of the browser. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    constructor(size: { readonly initial: number; readonly maximum: number; readonly shared: true })
    readonly buffer: SharedArrayBuffer
    /** Adds pages of 64 KiB and returns how many there were. */
    grow(pages: number): number
  }
  class Instance<Exports> {
    constructor(module: Module, imports: { readonly env: { readonly memory: Memory } })
    readonly exports: Exports
  }
}
