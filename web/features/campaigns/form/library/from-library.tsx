import { Images } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useKnownKind } from '@/features/campaigns/creatives/banner-kind'
import { useCampaignForm } from '@/features/campaigns/form/campaign-form-context'
import { placeFile, type PlaceKey } from '@/features/campaigns/form/creatives/places'

const LibraryDialog = lazy(() => import('./library-dialog.tsx'))

type FromLibraryProps = {
  readonly place: PlaceKey
  /** Name of the place, where several have such a button. */
  readonly name?: string
  readonly disabled?: boolean
}

/** A button that fills a place with files that the account has used before. Nothing is uploaded again. */
export function FromLibrary({ place, name, disabled = false }: FromLibraryProps) {
  const { t } = useTranslation('creatives')
  const form = useCampaignForm()
  const knowKind = useKnownKind()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        className="self-start"
        disabled={disabled}
        {...(name === undefined ? {} : { 'aria-label': t('library.openFor', { name }) })}
        onClick={() => setOpen(true)}
      >
        <Images aria-hidden />
        {t('library.open')}
      </Button>
      {open && (
        <Suspense>
          <LibraryDialog
            place={place}
            onClose={() => setOpen(false)}
            onPick={(files) => {
              setOpen(false)
              for (const file of files) {
                knowKind(file)
                placeFile(form, place, file)
              }
            }}
          />
        </Suspense>
      )}
    </>
  )
}
