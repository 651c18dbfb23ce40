import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { savePicture } from '#contract/profile'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { PictureCrop, type Area } from '@/components/form/picture-crop'
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

/** Chooses the square of a picture: by dragging, the arrow keys, and the zoom. The server cuts it. */
export function CropDialog({ file, url, onClose }: CropDialogProps) {
  const { t } = useTranslation('profile')
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
          <PictureCrop image={url} aspect={1} round zoomLabel={t('picture.zoom')} className="h-64" onArea={setArea} />
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
