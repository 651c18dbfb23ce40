import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { savePicture } from '#contract/profile'
import { ActionDialog } from '@/components/dialog-frame'
import { PictureCrop, type Area } from '@/components/form/picture-crop'
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
    <ActionDialog
      title={t('picture.crop')}
      description={t('picture.cropText')}
      confirm={t(save.isPending ? 'saving' : 'save')}
      disabled={save.isPending}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <PictureCrop image={url} aspect={1} round zoomLabel={t('picture.zoom')} className="h-64" onArea={setArea} />
    </ActionDialog>
  )
}

/** Rounded down, so that the square stays inside the picture. */
const sideOf = ({ width, height }: Area): number => Math.max(1, Math.floor(Math.min(width, height)))
