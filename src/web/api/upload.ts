import { Failure } from './failure.ts'

/** Sends a file as it is. By XMLHttpRequest, as `fetch` does not say how much has gone. */
export function upload(url: string, file: File, onShare: (share: number) => void): Promise<{ path: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(Failure.unreachable())
    request.onload = () => {
      if (request.status < 400) resolve(JSON.parse(request.responseText))
      else reject(Failure.from(request.status, request.responseText))
    }
    request.send(file)
  })
}
