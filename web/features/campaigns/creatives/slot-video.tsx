import { MediaFacts } from './media-facts.tsx'
import type { ComponentProps } from 'react'

type SlotVideoProps = {
  readonly url: string | null
  readonly label: string
  readonly facts: ComponentProps<typeof MediaFacts>
}

/** A playable video in its slot, with its properties. */
export function SlotVideo({ url, label, facts }: SlotVideoProps) {
  return (
    <div className="flex flex-col gap-1">
      {url !== null && (
        // Advertisers do not supply captions for their videos.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          src={url}
          controls
          playsInline
          preload="metadata"
          aria-label={label}
          className="rounded-md aspect-video w-full bg-black"
        />
      )}
      <MediaFacts {...facts} />
    </div>
  )
}
