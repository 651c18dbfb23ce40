import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Skeleton } from '@/components/ui/skeleton'
import { statusName } from '@/data/campaign-status'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { FormSection } from '../form-section.tsx'
import { ListFailure } from '../list-failure.tsx'
import { WhitelistDrop } from './whitelist-drop.tsx'
import { whitelistQueries } from './whitelist-queries.ts'
import { WhitelistTable } from './whitelist-table.tsx'

/** Uploads and removals are separate commands, sent at once. The form's typed values stay. */
export function WhitelistsSection() {
  const { t } = useTranslation('placement')
  const { campaign } = useFormBase()
  return (
    <FormSection title={t('whitelists.title')} lead={t('whitelists.lead')}>
      <div className="col-span-2">
        {campaign === null ? <p className="text-muted-foreground">{t('whitelists.new')}</p> : <Whitelists campaign={campaign} />}
      </div>
    </FormSection>
  )
}

function Whitelists({ campaign: { id, status_key } }: { readonly campaign: Campaign }) {
  const { t } = useTranslation('placement')
  const { readOnly } = useFormBase()
  const { data: lists, error, refetch } = useQuery(whitelistQueries.list(id))
  const section = useRef<HTMLFieldSetElement>(null)
  // The lists of an archived campaign cannot change, regardless of the user's role.
  const canChange = !readOnly && statusName(status_key) !== 'archived'
  return (
    <fieldset
      ref={section}
      tabIndex={-1}
      aria-label={t('whitelists.title')}
      aria-busy={lists === undefined && error === null}
      className="flex min-w-0 flex-col gap-4"
    >
      <ListFailure error={error} retry={refetch} focus={() => section.current?.focus()} />
      {lists === undefined && error === null && (
        <div className="flex flex-col gap-4 py-2">
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
        </div>
      )}
      {lists?.length === 0 && <p className="text-muted-foreground">{t('whitelists.none')}</p>}
      {lists !== undefined && lists.length > 0 && <WhitelistTable id={id} lists={lists} canChange={canChange} />}
      {lists !== undefined && canChange && <WhitelistDrop id={id} lists={lists} />}
    </fieldset>
  )
}
