/**
 * Which cell a score lies in, by its bits. The leading 15 of them lead to an entry of the table. An entry plus the score's bits has the cell
 * in front: where another cell begins among scores that share their leading bits, the sum carries over into it.
 */
export function cellOf(bits: u32, table: usize): u32 {
  return (load<u32>(table + 4 * <usize>(bits >> trailingBits)) + bits) >> trailingBits
}

const trailingBits: u32 = 17
