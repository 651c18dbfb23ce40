import { useMutation } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toggleArchive } from '#contract/campaign'
import { call } from '@/data/client'
import { Button } from '@/components/ui/button'
import { Alert, AlertDescription } from '@/components/ui/alert'
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
    <Alert role="note">
      <Archive aria-hidden />
      <AlertDescription>
        <p>{t(mayWrite ? 'archived.text' : 'archived.readOnly')}</p>
        {mayWrite && (
          <Button
            variant="outline"
            size="sm"
            aria-disabled={unarchive.isPending}
            onClick={() => unarchive.isPending || unarchive.mutate()}
          >
            {t('archived.unarchive')}
          </Button>
        )}
      </AlertDescription>
    </Alert>
  )
}
