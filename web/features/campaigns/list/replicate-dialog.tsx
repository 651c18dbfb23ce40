import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/ui/input'
import { LoadError } from '@/components/load-error'
import { ActionDialog } from '@/components/dialog-frame'
import { accountQueries } from '@/data/account-queries'

type ReplicateDialogProps = {
  readonly campaign: { readonly id: string; readonly name: string; readonly space_id: string }
  readonly onReplicate: (spaceId: string) => void
  readonly onClose: () => void
}

/** Lets owners choose the target account of a copy; the campaign's own account is first. */
export function ReplicateDialog({ campaign, onReplicate, onClose }: ReplicateDialogProps) {
  const { t } = useTranslation('campaigns')
  const { data, error, refetch } = useQuery(accountQueries.list())
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(campaign.space_id)
  const wanted = typed.trim().toLowerCase()
  const own = (spaceId: string) => spaceId === campaign.space_id
  const accounts = (data?.data ?? [])
    .filter(({ space_id, space_name }) => own(space_id) || space_name.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(own(b.space_id)) - Number(own(a.space_id)) || a.space_name.localeCompare(b.space_name))
  return (
    <ActionDialog
      title={t('replicate.title', { name: campaign.name })}
      description={t('replicate.text')}
      confirm={t('actions.replicate')}
      disabled={data === undefined}
      onConfirm={() => onReplicate(chosen)}
      onClose={onClose}
    >
      <Input
        type="search"
        autoComplete="off"
        aria-label={t('replicate.search')}
        placeholder={t('replicate.search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        // Enter in the search must not copy into an account that is not chosen yet.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {error !== null && data === undefined ? (
        <LoadError title={t('replicate.error')} error={error} onRetry={() => void refetch()} />
      ) : (
        <fieldset className="flex max-h-72 flex-col overflow-y-auto">
          <legend className="sr-only">{t('replicate.accounts')}</legend>
          {accounts.map(({ space_id, space_name, currency }) => (
            <label
              key={space_id}
              className="hover:bg-muted has-checked:bg-primary-tint rounded-md flex min-h-9 cursor-pointer items-center gap-3 px-3"
            >
              <input
                type="radio"
                name="account"
                checked={chosen === space_id}
                onChange={() => setChosen(space_id)}
                className="accent-primary"
              />
              <span className="truncate">{space_name}</span>
              {own(space_id) && <span className="text-muted-foreground text-xs">{t('replicate.own')}</span>}
              <span className="text-muted-foreground text-xs ml-auto">{currency}</span>
            </label>
          ))}
        </fieldset>
      )}
    </ActionDialog>
  )
}
