import { Archive, ChartNoAxesColumn, Copy, Ellipsis, Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import type { ListRow } from '../../../../api/contract/campaign-list.ts'
import { Button } from '../../../components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx'
import { canArchive, runStateOf } from '../../../domain/campaign-status.ts'
import { cn } from '../../../lib/cn.ts'
import type { useCampaignActions } from '../campaign-actions.ts'

type CampaignRowMenuProps = {
  readonly row: Pick<ListRow, 'id' | 'name' | 'status_key'>
  /** Null for readers who may change nothing. */
  readonly actions: RowActions | null
  readonly onReport: () => void
}

type Act = { readonly mutate: (target: Pick<ListRow, 'id' | 'name'>) => void }
export type RowActions = { readonly [K in keyof ReturnType<typeof useCampaignActions>]: Act }

export function CampaignRowMenu({ row, actions, onReport }: CampaignRowMenuProps) {
  const { t } = useTranslation('campaigns')
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t('menu', { name: row.name })}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      {/* A portal's clicks still bubble through React to the row, which would open the campaign. */}
      <DropdownMenuContent align="end" onClick={(event) => event.stopPropagation()}>
        {actions !== null && (
          <>
            <RunItem row={row} actions={actions} />
            <DropdownMenuItem onSelect={() => actions.replicate.mutate(row)}>
              <Copy aria-hidden />
              {t('actions.replicate')}
            </DropdownMenuItem>
          </>
        )}
        <DropdownMenuItem onSelect={onReport}>
          <ChartNoAxesColumn aria-hidden />
          {t('actions.report')}
        </DropdownMenuItem>
        {actions !== null && canArchive(row.status_key) && (
          <DropdownMenuItem onSelect={() => actions.archive.mutate(row)}>
            <Archive aria-hidden />
            {t('actions.archive')}
          </DropdownMenuItem>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

/** Greyed where it would be refused, yet not disabled: it answers why, and says so beforehand to those who cannot see the grey. */
function RunItem({ row, actions }: { readonly row: CampaignRowMenuProps['row']; readonly actions: RowActions }) {
  const { t } = useTranslation(['campaigns', 'status'])
  const { action, refusal } = runStateOf(row.status_key)
  const Icon = action === 'run' ? Play : Pause
  return (
    <DropdownMenuItem
      data-refused={refusal ?? undefined}
      aria-description={refusal === null ? undefined : t(`status:refusal.${refusal}`)}
      className={cn(refusal !== null && 'text-ink-soft')}
      onSelect={() => (refusal === null ? actions[action].mutate(row) : toast.error(t(`status:refusal.${refusal}`)))}
    >
      <Icon aria-hidden />
      {t(`campaigns:actions.${action}`)}
    </DropdownMenuItem>
  )
}
