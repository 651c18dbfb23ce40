import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useTranslation } from 'react-i18next'
import { savePicture } from '#contract/profile'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { upload } from '@/data/upload'
import { errorToast } from '@/i18n/error-toast'
import { toast } from '@/lib/toast'

type CropDialogProps = {
  readonly file: File
  /** The file as an object URL. */
  readonly url: string
  readonly onClose: () => void
}

const ZOOM = { min: 1, max: 4, step: 0.05 }

/** Chooses the square of a picture: by dragging, the arrow keys, and the zoom. The server cuts it. */
export function CropDialog({ file, url, onClose }: CropDialogProps) {
  const { t } = useTranslation('profile')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(ZOOM.min)
  const [area, setArea] = useState<Area | null>(null)
  const save = useMutation({
    meta: { silent: true, invalidates: [['session', 'me']] },
    mutationFn: () =>
      upload(savePicture, {
        file,
        onProgress: () => undefined,
        ...(area === null ? {} : { query: { x: Math.floor(area.x), y: Math.floor(area.y), size: sideOf(area) } }),
      }),
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
    onError: (error) => errorToast(error),
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel title={t('picture.crop')} description={t('picture.cropText')}>
        <DialogPanelBody>
          <div className="bg-muted relative h-64 overflow-hidden rounded-lg">
            <Cropper
              image={url}
              crop={crop}
              zoom={zoom}
              minZoom={ZOOM.min}
              maxZoom={ZOOM.max}
              aspect={1}
              cropShape="round"
              showGrid={false}
              // Its stylesheet is imported: the page allows no style elements.
              disableAutomaticStylesInjection
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
            />
          </div>
          <label className="flex items-center gap-3">
            <span className="text-[0.8125rem]/4.5 font-medium">{t('picture.zoom')}</span>
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
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button disabled={save.isPending} onClick={() => save.mutate()}>
            {t(save.isPending ? 'saving' : 'save')}
          </Button>
        </DialogPanelFooter>
      </DialogPanel>
    </Dialog>
  )
}

/** Rounded down, so that the square stays inside the picture. */
const sideOf = ({ width, height }: Area): number => Math.max(1, Math.floor(Math.min(width, height)))
