import { useTranslation } from 'react-i18next'
import { BannerFrame } from './banner-frame.tsx'

type Size = { readonly width: number; readonly height: number }

type BannerPictureProps = {
  readonly fileId: string
  readonly url: string | null
  readonly size: Size
  readonly html: boolean
  readonly name: string
  /** Maximum size, with the frame fitted to the banner. Default: a frame of the same size for every card. */
  readonly box?: Size
  /** Address that a click on an HTML banner opens; null: nothing yet. Without it, the picture cannot be clicked. */
  readonly clickAddress?: string | null
}

const CARD = { width: 176, height: 112 }

/** A banner preview, no larger than its box. */
export function BannerPicture({ fileId, url, size, html, name, box, clickAddress }: BannerPictureProps) {
  const { t } = useTranslation('form')
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
          <BannerFrame fileId={fileId} url={url} size={size} scale={scale} name={name} clickAddress={clickAddress} />
        </div>
      ) : (
        url !== null && (
          <img
            src={url}
            alt={t('banners.preview', { name })}
            width={size.width * scale}
            height={size.height * scale}
            className="object-contain"
          />
        )
      )}
    </div>
  )
}
