import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { cn } from '@/lib/utils'

export type { Area } from 'react-easy-crop'

type PictureCropProps = {
  /** An object URL. */
  readonly image: string
  /** Width by height of the part. */
  readonly aspect: number
  readonly round?: boolean
  readonly zoomLabel: string
  /** The height of the frame. */
  readonly className: string
  /** Pixels of the chosen part. */
  readonly onArea: (area: Area) => void
}

const ZOOM = { min: 1, max: 4, step: 0.05 }

/** Chooses a part of a picture: by dragging, the arrow keys, and the zoom. */
export function PictureCrop({ image, aspect, round = false, zoomLabel, className, onArea }: PictureCropProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(ZOOM.min)
  return (
    <>
      <div className={cn('bg-muted relative overflow-hidden rounded-lg', className)}>
        <Cropper
          image={image}
          crop={crop}
          zoom={zoom}
          minZoom={ZOOM.min}
          maxZoom={ZOOM.max}
          aspect={aspect}
          cropShape={round ? 'round' : 'rect'}
          showGrid={!round}
          // Its stylesheet is imported: the page allows no style elements.
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => onArea(pixels)}
        />
      </div>
      <label className="flex items-center gap-3">
        <span className="text-[0.8125rem]/4.5 font-medium">{zoomLabel}</span>
        <input
          type="range"
          {...ZOOM}
          value={zoom}
          onChange={({ target }) => setZoom(Number(target.value))}
          className="accent-primary grow"
        />
      </label>
    </>
  )
}
