import { useEffect, useState } from 'react'

/** Whether so many milliseconds have passed since the component appeared. */
export function useAfter(milliseconds: number): boolean {
  const [hasPassed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return hasPassed
}
