import { useTranslation } from 'react-i18next'
import { bannerAddress, bannerAddressOf } from '#domain/campaign/content/file-addresses'

type Size = { readonly width: number; readonly height: number }

type BannerPictureProps = {
  readonly fileId: string
  readonly url: string | null
  readonly size: Size
  readonly html: boolean
  readonly name: string
  /** Maximum size, with the frame fitted to the banner. Default: a frame of the same size for every card. */
  readonly box?: Size
}

const CARD = { width: 176, height: 112 }

/** A banner preview, no larger than its box. */
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
          {/* Scripts run in an opaque origin. The preview is visual only, without keyboard access. */}
          <iframe
            title={t('creatives:banner.frame', { name })}
            src={(url === null ? null : bannerAddressOf(url)) ?? bannerAddress(fileId)}
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
