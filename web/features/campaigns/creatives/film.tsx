import type { ComponentProps } from 'react'
import { usePoster } from './video-poster.ts'

type FilmProps = { readonly url: string } & Omit<ComponentProps<'video'>, 'src' | 'poster'>

/** A video behind its own frame: some browsers show nothing before it plays. */
export function Film({ url, ...props }: FilmProps) {
  // Advertisers do not supply captions for their videos.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <video src={url} poster={usePoster(url)} playsInline preload="metadata" {...props} />
}
