import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { Size } from '@/features/campaigns/form/creatives/media-check'

type CutDialogProps = {
  readonly name: string
  /** The file as an object URL. */
  readonly url: string
  readonly size: Size
  /** Null when the file is not used. */
  readonly onCut: (cut: Area | null) => void
}

const ZOOM = { min: 1, max: 4, step: 0.05 }

/** Chooses the part of a picture that becomes the banner: by dragging, the arrow keys, and the zoom. */
export function CutDialog({ name, url, size, onCut }: CutDialogProps) {
  const { t } = useTranslation('form')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(ZOOM.min)
  const [area, setArea] = useState<Area | null>(null)
  return (
    <Dialog open onOpenChange={(open) => !open && onCut(null)}>
      <DialogPanel
        title={t('banners.cut.title', size)}
        description={t('banners.cut.text', { name, ...size })}
        className="w-[640px]"
      >
        <DialogPanelBody>
          <div className="bg-muted relative h-80 overflow-hidden rounded-lg">
            <Cropper
              image={url}
              crop={crop}
              zoom={zoom}
              minZoom={ZOOM.min}
              maxZoom={ZOOM.max}
              aspect={size.width / size.height}
              // Its stylesheet is imported: the page allows no style elements.
              disableAutomaticStylesInjection
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
            />
          </div>
          <label className="flex items-center gap-3">
            <span className="text-[0.8125rem]/4.5 font-medium">{t('banners.cut.zoom')}</span>
            <input
              type="range"
              {...ZOOM}
              value={zoom}
              onChange={({ target }) => setZoom(Number(target.value))}
              className="accent-primary grow"
            />
          </label>
        </DialogPanelBody>
        <DialogPanelFooter>
          <Button variant="outline" onClick={() => onCut(null)}>
            {t('banners.cut.cancel')}
          </Button>
          <Button disabled={area === null} onClick={() => onCut(area)}>
            {t('banners.cut.use')}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}
