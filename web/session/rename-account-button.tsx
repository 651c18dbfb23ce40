import { Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useCan } from './can.ts'
import '@/i18n/texts/team'

const RenameAccountDialog = lazy(async () => ({ default: (await import('./rename-account-dialog.tsx')).RenameAccountDialog }))

/** Renames an account, for users who may. */
export function RenameAccountButton({ spaceId, name }: { readonly spaceId: string; readonly name: string }) {
  const { t } = useTranslation('team')
  const can = useCan()
  const [isOpen, setOpen] = useState(false)
  if (!can('account.rename')) return null
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        <Pencil aria-hidden />
        {t('rename.open')}
      </Button>
      <Suspense>{isOpen && <RenameAccountDialog spaceId={spaceId} name={name} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
