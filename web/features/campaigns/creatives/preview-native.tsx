import { Star } from 'lucide-react'
import { cn } from '@/lib/utils'
import { Film } from './film.tsx'
import { PreviewPicture, PreviewText } from './preview-frame.tsx'

export type NativePreviewProps = {
  readonly appInstall: boolean
  readonly headline: string
  readonly body: string
  readonly callToAction: string
  readonly advertiser: string
  /** Null when the ad has no rating. */
  readonly rating: number | null
  readonly ratingText: string
  readonly price: string
  readonly logo: string | null
  readonly image: string | null
  /** Default: landscape. */
  readonly square?: boolean
  readonly video: string | null
  readonly sponsored: string
}

const STARS = [1, 2, 3, 4, 5]

export function NativePreview(props: NativePreviewProps) {
  const { appInstall, headline, body, callToAction, advertiser, rating, ratingText, price, logo, image, square, video } = props
  return (
    <div className="flex flex-col gap-2.5 p-3">
      <div className="flex items-start gap-2">
        <PreviewPicture url={logo} alt="" className={cn('size-10 shrink-0', appInstall ? 'rounded-[10px]' : 'rounded-full')} />
        <div className="min-w-0 grow">
          <PreviewText text={headline} bar="w-3/4" className="text-[0.8125rem]/4.5 font-semibold" />
          <span className="text-muted-foreground text-xs block [overflow-wrap:anywhere]">
            {[appInstall ? '' : advertiser, props.sponsored].filter((part) => part !== '').join(' · ')}
          </span>
        </div>
      </div>
      {video === null ? (
        <PreviewPicture
          url={image}
          alt=""
          className={cn('rounded-md w-full', square === true ? 'aspect-square' : 'aspect-[1200/627]')}
        />
      ) : (
        <Film url={video} muted className="rounded-md bg-black aspect-video w-full" />
      )}
      <PreviewText text={body} bar="w-full" className="text-[0.8125rem]/4.5 text-muted-foreground whitespace-pre-line" />
      <div className="flex items-center justify-between gap-2">
        {appInstall ? (
          <span className="text-xs flex min-w-0 flex-col gap-0.5">
            {rating !== null && (
              <span className="text-warning-dot flex">
                <span className="sr-only">{ratingText}</span>
                {STARS.map((star) => (
                  <Star
                    key={star}
                    aria-hidden
                    className={cn('size-3', star <= Math.round(rating) ? 'fill-current' : 'opacity-45')}
                  />
                ))}
              </span>
            )}
            <span className="text-muted-foreground truncate tabular-nums">{`$${price === '' ? '0' : price}`}</span>
          </span>
        ) : (
          <span />
        )}
        {callToAction !== '' && (
          <span className="bg-primary text-primary-foreground rounded-md text-[0.8125rem]/4.5 px-3 py-1.5 font-medium [overflow-wrap:anywhere]">
            {callToAction}
          </span>
        )}
      </div>
    </div>
  )
}
