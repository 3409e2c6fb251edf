const least = 22

/** What is wrong with the Node that runs this, if anything: older ones crash in the store without a word. */
export function nodeRefusal(version: string): string | undefined {
  if (Number(version.split('.')[0]) >= least) return
  return `alis: Node ${least} or later is required, got ${version}\n      In a clone or a project that has the package \`node\`, put \`npx\` before \`node\`: it is the right one.`
}
