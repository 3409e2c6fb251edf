/** Moves places in ascending order as little as needed so that neighbours are at least so far apart, the middle kept where it can be. */
export function apart(places: readonly number[], distance: number): number[] {
  const middle = Math.floor(places.length / 2)
  const moved = [...places]
  for (let i = middle + 1; i < moved.length; i++) moved[i] = Math.max(moved[i]!, moved[i - 1]! + distance)
  for (let i = middle - 1; i >= 0; i--) moved[i] = Math.min(moved[i]!, moved[i + 1]! - distance)
  return moved
}
