export const isPicture = (name: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i.test(name)

/** Pictures that are dropped together, or in a folder, as one archive: what arrives is all of them or none. */
export async function packedPictures(files: readonly File[]): Promise<File> {
  const pictures = files.filter(({ name }) => isPicture(name))
  const paths = pictures.map((file) => file.webkitRelativePath || file.name)
  const roots = new Set(paths.map((path) => path.split('/')[0]))
  const root = roots.size === 1 && paths[0]?.includes('/') ? paths[0].split('/')[0]! : undefined
  const names = paths.map((path) => (root === undefined ? path : path.slice(root.length + 1)))
  const [local, directory]: [BlobPart[], BlobPart[]] = [[], []]
  let at = 0
  for (const [k, picture] of pictures.entries()) {
    const title = new TextEncoder().encode(names[k]!)
    const facts = factsOf(checksum(new Uint8Array(await picture.arrayBuffer())), picture.size, title.length)
    local.push(signed([0x50, 0x4b, 3, 4], facts), title, picture)
    const place = new DataView(new ArrayBuffer(14))
    place.setUint32(10, at, true)
    directory.push(signed([0x50, 0x4b, 1, 2, 20, 0], facts), place.buffer, title)
    at += 30 + title.length + picture.size
  }
  const listed = new Blob(directory)
  const end = new DataView(new ArrayBuffer(18))
  end.setUint16(4, pictures.length, true)
  end.setUint16(6, pictures.length, true)
  end.setUint32(8, listed.size, true)
  end.setUint32(12, at, true)
  return new File([...local, listed, new Uint8Array([0x50, 0x4b, 5, 6]), end.buffer], `${root ?? 'pictures'}.zip`)
}

/** What an archive says of a file that is stored as it is, in both places. */
function factsOf(crc: number, bytes: number, title: number): ArrayBuffer {
  const facts = new DataView(new ArrayBuffer(26))
  facts.setUint16(0, 20, true)
  facts.setUint16(2, 0x0800, true) // names in UTF-8
  facts.setUint32(10, crc, true)
  facts.setUint32(14, bytes, true)
  facts.setUint32(18, bytes, true)
  facts.setUint16(22, title, true)
  return facts.buffer
}

const signed = (signature: readonly number[], facts: ArrayBuffer) => new Blob([new Uint8Array(signature), facts])

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})

/** CRC-32, as archives have it. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff]! ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}
