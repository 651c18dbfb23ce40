import { skipToken, useQuery } from '@tanstack/react-query'
import { FRAME_RATE_HEADER, WARNINGS_HEADER } from '#contract/files'
import { withoutToken } from '#domain/campaign/content/file-addresses'

/** Properties of a video that only its stored file has. */
export type VideoNotes = {
  /** Frames per second; null when it is not known. */
  readonly frameRate: number | null
  /** Not every browser and exchange plays it. */
  readonly isAv1: boolean
}

const NONE: VideoNotes = { frameRate: null, isAv1: false }

/** Reads them from the file, once. */
export function useVideoNotes(url: string | null): VideoNotes {
  const { data } = useQuery({
    queryKey: ['video-notes', url === null ? null : withoutToken(url)],
    staleTime: Infinity,
    retry: false,
    queryFn: url === null ? skipToken : ({ signal }) => readNotes(url, signal),
  })
  return data ?? NONE
}

async function readNotes(url: string, signal: AbortSignal): Promise<VideoNotes> {
  const { ok, status, headers } = await fetch(url, { method: 'HEAD', signal })
  if (!ok) throw new Error(`the video was not found: ${status}`)
  const rate = headers.get(FRAME_RATE_HEADER)
  const warnings = (headers.get(WARNINGS_HEADER) ?? '').split(',')
  return { frameRate: rate === null ? null : Number(rate), isAv1: warnings.includes('av1') }
}
