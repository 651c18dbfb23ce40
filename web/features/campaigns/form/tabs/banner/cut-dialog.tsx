import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { PictureCrop, type Area } from '@/components/form/picture-crop'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import type { Size } from '@/features/campaigns/form/creatives/measure'

type CutDialogProps = {
  readonly name: string
  /** The file as an object URL. */
  readonly url: string
  readonly size: Size
  /** Null when the file is not used. */
  readonly onCut: (cut: Area | null) => void
}

/** Chooses the part of a picture that becomes the banner: by dragging, the arrow keys, and the zoom. */
export function CutDialog({ name, url, size, onCut }: CutDialogProps) {
  const { t } = useTranslation('form')
  const [area, setArea] = useState<Area | null>(null)
  return (
    <Dialog open onOpenChange={(open) => !open && onCut(null)}>
      <DialogPanel
        title={t('banners.cut.title', size)}
        description={t('banners.cut.text', { name, ...size })}
        className="w-[640px]"
      >
        <DialogPanelBody>
          <PictureCrop
            image={url}
            aspect={size.width / size.height}
            zoomLabel={t('banners.cut.zoom')}
            className="h-80"
            onArea={setArea}
          />
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
