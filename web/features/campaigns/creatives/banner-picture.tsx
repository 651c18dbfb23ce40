import { useTranslation } from 'react-i18next'
import { playerOf } from './banner-kind.ts'

type Size = { readonly width: number; readonly height: number }

type BannerPictureProps = {
  readonly fileId: string
  readonly url: string | null
  readonly size: Size
  readonly html: boolean
  readonly name: string
  /** What it has to fit into, and the frame closes around it; a frame of one size for every card unless told. */
  readonly box?: Size
}

const CARD = { width: 176, height: 112 }

/** A banner as it will look, no larger than its box. */
export function BannerPicture({ fileId, url, size, html, name, box }: BannerPictureProps) {
  const { t } = useTranslation(['form', 'creatives'])
  const { width, height } = box ?? CARD
  const scale = Math.min(1, width / size.width, height / size.height)
  const shown = { width: size.width * scale, height: size.height * scale }
  return (
    <div
      className="checkered rounded-md grid shrink-0 place-items-center overflow-hidden"
      style={box === undefined ? CARD : shown}
    >
      {html ? (
        <div className="overflow-hidden" style={shown}>
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
