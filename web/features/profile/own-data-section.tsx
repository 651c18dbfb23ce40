import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'

const OwnDataDialog = lazy(async () => ({ default: (await import('./own-data-dialog.tsx')).OwnDataDialog }))

/** A copy of what is stored about the user. */
export function OwnDataSection() {
  const { t } = useTranslation('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <SettingsSection
        title={t('ownData.title')}
        text={t('ownData.text')}
        action={
          <Button variant="outline" onClick={() => setOpen(true)}>
            {t('ownData.open')}
          </Button>
        }
      />
      <Suspense>{isOpen && <OwnDataDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
