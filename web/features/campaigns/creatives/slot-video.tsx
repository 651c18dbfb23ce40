import { TriangleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Film } from './film.tsx'
import { MediaFacts } from './media-facts.tsx'
import { useVideoNotes } from './video-notes.ts'

type SlotVideoProps = {
  readonly url: string | null
  readonly label: string
  readonly facts: Omit<ComponentProps<typeof MediaFacts>, 'film'>
}

/** A playable video in its slot, with its properties and the warnings of its upload. */
export function SlotVideo({ url, label, facts }: SlotVideoProps) {
  const { t } = useTranslation('creatives')
  const { frameRate, isAv1 } = useVideoNotes(url)
  return (
    <div className="flex flex-col gap-1">
      {url !== null && <Film url={url} controls aria-label={label} className="rounded-md aspect-video w-full bg-black" />}
      <MediaFacts {...facts} film={{ frameRate }} />
      {isAv1 && (
        <p className="text-warning text-xs flex gap-1.5">
          <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {t('video.av1')}
        </p>
      )}
    </div>
  )
}
