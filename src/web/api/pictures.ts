import { useEffect, useState } from 'react'
import { bytesAt } from './client.ts'

interface Picture {
  /** What an `img` shows, once it is here. */
  url?: string
  readonly loading: Promise<string>
  /** How many components show it. */
  uses: number
}

const pictures = new Map<string, Picture>()
const mostUnused = 16
const broken = 'data:,' // shown as its name

/** Fetches a picture before its turn comes. */
export function fetchAhead(src: string): void {
  if (!isHere(src)) fetched(src)
}

const isHere = (src: string) => src.startsWith('data:')

function fetched(src: string): Picture {
  const found = pictures.get(src)
  if (found) return found
  const picture: Picture = { loading: bytesAt(src).then((bytes) => (picture.url = URL.createObjectURL(bytes))), uses: 0 }
  pictures.set(src, picture)
  picture.loading.catch(() => pictures.delete(src))
  return picture
}

/** The address of a picture for an `img`, which brings no secret of its own; none until it is here. */
export function usePicture(src: string): string | undefined {
  const [loaded, setLoaded] = useState<{ src: string; url: string }>()
  useEffect(() => {
    if (isHere(src)) return
    const picture = fetched(src)
    picture.uses++
    let isWanted = true
    picture.loading.then(
      (url) => isWanted && setLoaded({ src, url }),
      () => isWanted && setLoaded({ src, url: broken }),
    )
    return () => {
      isWanted = false
      picture.uses--
      forgetUnused()
    }
  }, [src])
  return isHere(src) ? src : loaded?.src === src ? loaded.url : pictures.get(src)?.url
}

/** Those that were fetched ahead and those that may come back stay a while. */
function forgetUnused(): void {
  const unused = [...pictures].filter(([, { uses }]) => uses === 0)
  for (const [src, { url }] of unused.slice(0, -mostUnused)) {
    pictures.delete(src)
    if (url) URL.revokeObjectURL(url)
  }
}
