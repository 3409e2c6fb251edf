/** What a program sends with every request: the secret for the code of an address, which is dead then. */
export async function authorizationFor(url: string): Promise<string> {
  const { origin, hash } = new URL(url)
  const reply = await fetch(`${origin}/api/v1/sessions`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code: hash.slice('#code='.length) }),
  })
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`)
  const { secret } = (await reply.json()) as { secret: string }
  return `Bearer ${secret}`
}
