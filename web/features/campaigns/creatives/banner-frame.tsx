import { useEffect, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from 'sonner'
import { BANNER_CLICK, withClickTag } from '#domain/campaign/content/banner-clicks'
import { bannerAddress, bannerAddressOf } from '#domain/campaign/content/file-addresses'
import { cn } from '@/lib/utils'

type BannerFrameProps = {
  readonly fileId: string
  readonly url: string | null
  readonly size: { readonly width: number; readonly height: number }
  readonly scale: number
  readonly name: string
  /** Address that a click opens; null: nothing yet; undefined: the banner cannot be clicked. */
  readonly clickAddress: string | null | undefined
}

/** An HTML banner that plays. Its scripts run in an opaque origin and open nothing themselves: clicks are reported to this page. */
export function BannerFrame({ fileId, url, size, scale, name, clickAddress }: BannerFrameProps) {
  const { t } = useTranslation('creatives')
  const frame = useRef<HTMLIFrameElement>(null)
  useBannerClicks(frame, clickAddress)
  const page = (url === null ? null : bannerAddressOf(url)) ?? bannerAddress(fileId)
  const clickable = clickAddress !== undefined
  return (
    <iframe
      ref={frame}
      title={t('banner.frame', { name })}
      src={withClickTag(page, clickAddress ?? null)}
      sandbox="allow-scripts"
      scrolling="no"
      tabIndex={clickable ? undefined : -1}
      {...size}
      className={cn('origin-top-left border-0', !clickable && 'pointer-events-none')}
      style={{ transform: `scale(${scale})` }}
    />
  )
}

/** Opens the campaign's address, and no other, when the banner of this frame reports a click and the user has just made one in it. */
function useBannerClicks(frame: RefObject<HTMLIFrameElement | null>, address: string | null | undefined): void {
  const { t } = useTranslation('creatives')
  useEffect(() => {
    if (address === undefined) return undefined
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      const element = frame.current
      if (element === null || source === null || source !== element.contentWindow || !isClick(data)) return
      // Clicks in a frame activate this page too, and focus the frame: a banner cannot open pages by itself.
      if (!navigator.userActivation.isActive || document.activeElement !== element) return
      if (address === null) toast.info(t('banner.noAddress'))
      else window.open(address, '_blank', 'noopener,noreferrer')
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [frame, address, t])
}

const isClick = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === BANNER_CLICK
