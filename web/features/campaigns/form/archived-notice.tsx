import { useMutation } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toggleArchive } from '../../../../api/contract/campaign.ts'
import { call } from '@/data/client'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/lib/toast'
import { campaignQueries } from '@/data/campaign-queries'

/** Explains why an archived campaign is read-only, with the action that restores it. */
export function ArchivedNotice({ id, mayWrite }: { readonly id: string; readonly mayWrite: boolean }) {
  const { t } = useTranslation('form')
  const unarchive = useMutation({
    meta: { invalidates: [campaignQueries.details(), campaignQueries.lists(), campaignQueries.logs()] },
    mutationFn: () => call(toggleArchive, { body: id }),
    onSuccess: () => toast.success(t('archived.done')),
  })
  return (
    <Notice className="items-center">
      <Archive aria-hidden />
      <p className="mr-auto">{t(mayWrite ? 'archived.text' : 'archived.readOnly')}</p>
      {mayWrite && (
        <Button variant="outline" aria-disabled={unarchive.isPending} onClick={() => unarchive.isPending || unarchive.mutate()}>
          {t('archived.unarchive')}
        </Button>
      )}
    </Notice>
  )
}
