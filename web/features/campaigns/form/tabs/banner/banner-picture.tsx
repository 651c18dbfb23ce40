import { useTranslation } from 'react-i18next'
import type { Size } from '../../creatives/media-check.ts'
import { playerOf } from './banner-kind.ts'

type BannerPictureProps = {
  readonly fileId: string
  readonly url: string | null
  readonly size: Size
  readonly html: boolean
  readonly name: string
}

const BOX = { width: 176, height: 112 }

/** A banner as it will look, small enough for its card. */
export function BannerPicture({ fileId, url, size, html, name }: BannerPictureProps) {
  const { t } = useTranslation(['form', 'creatives'])
  const scale = Math.min(1, BOX.width / size.width, BOX.height / size.height)
  return (
    <div className="checkered rounded-control grid h-28 w-44 shrink-0 place-items-center overflow-hidden">
      {html ? (
        <div className="overflow-hidden" style={{ width: size.width * scale, height: size.height * scale }}>
          {/* Its scripts run in an origin that is nobody's; it is for looking at, not for the keyboard. */}
          <iframe
            title={t('creatives:banner.frame', { name })}
            src={playerOf(fileId)}
            sandbox="allow-scripts"
            scrolling="no"
            tabIndex={-1}
            {...size}
            className="origin-top-left border-0"
            style={{ transform: `scale(${scale})` }}
          />
        </div>
      ) : (
        url !== null && (
          <img
            src={url}
            alt={t('form:banners.preview', { name })}
            width={size.width * scale}
            height={size.height * scale}
            className="object-contain"
          />
        )
      )}
    </div>
  )
}
