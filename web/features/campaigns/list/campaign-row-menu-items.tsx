import { Archive, ChartNoAxesColumn, Copy, Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { MenuPanel } from '@/components/menu-panel'
import { DropdownMenuItem } from '@/components/ui/dropdown-menu'
import { canArchive, runStateOf } from '@/data/campaign-status'
import { cn } from '@/lib/utils'
import { toast } from '@/lib/toast'
import type { Popup } from '@/lib/use-popup'
import type { RowActions, RowMenuProps } from './campaign-row-menu.tsx'

export function CampaignRowMenuItems({ row, actions, onReport, popup }: RowMenuProps & { readonly popup: Popup }) {
  const { t } = useTranslation('campaigns')
  return (
    // A portal's clicks still bubble through React to the row, which would open the campaign.
    <MenuPanel popup={popup} label={t('menu', { name: row.name })} align="end" onClick={(event) => event.stopPropagation()}>
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
    </MenuPanel>
  )
}

/** Greyed where it would be refused, yet not disabled: it answers why, and says so beforehand to those who cannot see the grey. */
function RunItem({ row, actions }: { readonly row: RowMenuProps['row']; readonly actions: RowActions }) {
  const { t } = useTranslation(['campaigns', 'status'])
  const { action, refusal } = runStateOf(row.status_key)
  const Icon = action === 'run' ? Play : Pause
  return (
    <DropdownMenuItem
      data-refused={refusal ?? undefined}
      aria-description={refusal === null ? undefined : t(`status:refusal.${refusal}`)}
      className={cn(refusal !== null && 'text-muted-foreground')}
      onSelect={() => (refusal === null ? actions[action].mutate(row) : toast.error(t(`status:refusal.${refusal}`)))}
    >
      <Icon aria-hidden />
      {t(`campaigns:actions.${action}`)}
    </DropdownMenuItem>
  )
}
