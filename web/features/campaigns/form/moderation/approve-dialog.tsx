import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EXCHANGES } from '../../../../../domain/campaign/options.ts'
import type { Campaign } from '../../../../../api/contract/campaign-body.ts'
import { Button } from '../../../../components/ui/button.tsx'
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '../../../../components/ui/dialog.tsx'
import { Field, Input } from '../../../../components/ui/field.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { useDecision } from './use-decision.ts'

export type DecisionDialogProps = {
  readonly campaign: Campaign
  readonly open: boolean
  readonly onClose: () => void
  readonly onReload: () => void
}

const listOf = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '')

export function ApproveDialog({ campaign, open, onClose, onReload }: DecisionDialogProps) {
  const { t } = useTranslation(['moderation', 'common'])
  const [categories, setCategories] = useState((campaign.campaign_category_keys ?? []).join(', '))
  const [exchanges, setExchanges] = useState<readonly string[]>(campaign.exchange_id ?? [])
  const { decide, pending, stale } = useDecision(campaign)
  const toggle = (exchange: string, on: boolean) =>
    setExchanges(EXCHANGES.filter((known) => (known === exchange ? on : exchanges.includes(known))))
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent title={t('moderation:approveTitle')} description={t('moderation:approveText')}>
        <DialogBody>
          {stale && <StaleNotice onReload={onReload} />}
          <Field label={t('moderation:categories')} help={t('moderation:categoriesHelp')}>
            <Input value={categories} autoComplete="off" onChange={(event) => setCategories(event.target.value)} />
          </Field>
          <fieldset className="flex flex-col gap-1">
            <legend className="text-table mb-1.5 font-medium">{t('moderation:exchanges')}</legend>
            {EXCHANGES.map((exchange) => (
              <label key={exchange} className="flex min-h-7 w-fit items-center gap-2.5">
                <input
                  type="checkbox"
                  checked={exchanges.includes(exchange)}
                  onChange={(event) => toggle(exchange, event.target.checked)}
                  className="accent-accent size-4"
                />
                {t(`moderation:exchange.${exchange}`)}
              </label>
            ))}
            <p className="text-ink-soft text-meta">{t('moderation:exchangesHelp')}</p>
          </fieldset>
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="secondary">{t('common:cancel')}</Button>
          </DialogClose>
          <Button
            disabled={pending || stale}
            onClick={() => decide({ kind: 'approve', categories: listOf(categories), exchanges })}
          >
            {t('moderation:approve')}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
