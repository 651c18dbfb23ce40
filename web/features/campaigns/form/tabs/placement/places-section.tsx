import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { FormSection } from '../form-section.tsx'

const PlacesList = lazy(async () => ({ default: (await import('./places-list.tsx')).PlacesList }))

/** The places where ads can be bought, on request: they are for reading and change nothing. */
export function PlacesSection() {
  const { t } = useTranslation('placement')
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <FormSection title={t('places.title')} lead={t('places.lead')}>
      <div id={id} className="col-span-2 flex flex-col gap-4">
        <Button variant="outline" aria-expanded={open} aria-controls={id} className="w-fit" onClick={() => setOpen(!open)}>
          {t(open ? 'places.close' : 'places.open')}
        </Button>
        {open && (
          <Suspense>
            <PlacesList />
          </Suspense>
        )}
      </div>
    </FormSection>
  )
}
