import { Play } from 'lucide-react'
import { Film } from './film.tsx'
import { PreviewPicture, PreviewText } from './preview-frame.tsx'

export type VideoPreviewProps = {
  readonly video: string | null
  readonly headline: string
  readonly longHeadline: string
  readonly cta: string
  readonly companion: string | null
  readonly companionText: string
  readonly sponsored: string
}

export function VideoPreview({ video, headline, longHeadline, cta, companion, companionText, sponsored }: VideoPreviewProps) {
  return (
    <div className="flex flex-col">
      {video === null ? (
        <span aria-hidden className="bg-muted text-muted-foreground grid aspect-video w-full place-items-center">
          <Play className="size-6 stroke-[1.5] opacity-60" />
        </span>
      ) : (
        <Film url={video} muted className="aspect-video w-full bg-black" />
      )}
      <div className="flex flex-col gap-1.5 p-3">
        <span className="text-muted-foreground text-xs">{sponsored}</span>
        <PreviewText text={headline} bar="w-2/3" className="text-[15px] leading-5 font-semibold" />
        <PreviewText text={longHeadline} bar="w-full" className="text-[0.8125rem]/4.5 text-muted-foreground" />
        {cta !== '' && (
          <span className="bg-primary text-primary-foreground rounded-md text-[0.8125rem]/4.5 mt-1 block px-3 py-1.5 text-center font-medium [overflow-wrap:anywhere]">
            {cta}
          </span>
        )}
        {companion !== null && (
          <PreviewPicture url={companion} alt={companionText} className="rounded-md mt-1.5 aspect-[300/250] w-full" />
        )}
      </div>
    </div>
  )
}
