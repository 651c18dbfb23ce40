import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from '@tanstack/react-router'
import { LoadError } from '@/components/load-error'
import { DialogPanelBody, DialogPanel } from '@/components/dialog-panel'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMinute } from '@/i18n/format'
import { campaignQueries } from '@/data/campaign-queries'
import { StateTable } from './state-table.tsx'

type AsWasDialogProps = { readonly campaign: string; readonly revision: number; readonly onClose: () => void }

/** Shows a campaign as of a revision, field by field. */
export function AsWasDialog({ campaign, revision, onClose }: AsWasDialogProps) {
  const { t } = useTranslation('log')
  const { data, error, refetch } = useQuery(campaignQueries.at(campaign, revision))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t('asWas.title')}
        description={t('asWas.text', { revision, date: data === undefined ? '…' : formatMinute(data.at) })}
        className="top-[8vh] max-h-[84vh] w-[760px]"
      >
        <DialogPanelBody tabIndex={0} className="pb-6">
          {data !== undefined ? (
            <>
              <Button asChild variant="outline" size="sm" className="mb-4 w-fit">
                <Link to="/campaign/edit/$id" params={{ id: campaign }} search={{ tab: 'basicInfo', as_of: data.at }}>
                  {t('asWas.form')}
                </Link>
              </Button>
              <StateTable state={data.state} />
            </>
          ) : error !== null ? (
            <LoadError title={t('asWas.error')} error={error} onRetry={() => void refetch()} />
          ) : (
            <Lines />
          )}
        </DialogPanelBody>
      </DialogPanel>
    </Dialog>
  )
}

/** Placeholder for fields that are loading. */
export const Lines = () => (
  <div aria-hidden className="flex flex-col gap-4 py-2">
    {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5', 'w-1/2', 'w-2/5'].map((width, line) => (
      <Skeleton key={line} className={width} />
    ))}
  </div>
)
