import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { chooseDefaultView, removeView, restoreView, type ListView } from '#contract/views'
import { useUndo } from '@/app/shortcuts/use-undo'
import { MenuPanel } from '@/components/menu-panel'
import {
  DropdownMenuCheckboxItem,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '@/components/ui/dropdown-menu'
import type { ListScope } from '@/data/campaign-queries'
import { call } from '@/data/client'
import { errorToast } from '@/i18n/error-toast'
import type { Popup } from '@/lib/use-popup'
import type { ListViews } from './use-list-views.ts'
import { viewsKey } from './view-queries.ts'

type ViewsItemsProps = {
  readonly scope: ListScope
  readonly views: ListViews
  readonly popup: Popup
  readonly onSaveAs: () => void
  readonly onRename: () => void
}

export function ViewsItems({ scope, views, popup, onSaveAs, onRename }: ViewsItemsProps) {
  const { t } = useTranslation('campaigns')
  const { shown, defaultId } = views
  const queryClient = useQueryClient()
  const offerUndo = useUndo()
  const choose = useMutation({
    meta: { invalidates: [viewsKey()] },
    mutationFn: (viewId: string | null) => call(chooseDefaultView, { body: { list: scope, view_id: viewId } }),
  })
  const remove = useMutation({
    meta: { invalidates: [viewsKey()] },
    mutationFn: ({ id }: ListView) => call(removeView, { params: { id } }),
    onSuccess: (_, view) => {
      views.leave()
      offerUndo({ text: t('views.deleted', { name: view.name }), undo: () => restore(view) })
    },
  })
  async function restore(view: ListView) {
    try {
      await call(restoreView, { params: { id: view.id } })
      await queryClient.invalidateQueries({ queryKey: viewsKey() })
      views.open(view)
    } catch (error) {
      errorToast(error)
    }
  }
  const group = (label: string, listed: readonly ListView[]) =>
    listed.length > 0 && (
      <>
        <DropdownMenuLabel>{label}</DropdownMenuLabel>
        {listed.map((view) => (
          <DropdownMenuRadioItem key={view.id} value={view.id} onSelect={() => views.open(view)}>
            <span className="min-w-0 grow [overflow-wrap:anywhere]">
              {view.name}
              {view.shared && (
                <span className="text-muted-foreground block text-xs">
                  {view.own ? t('views.byYou') : t('views.by', { name: view.by })}
                </span>
              )}
            </span>
            {view.id === defaultId && <span className="text-muted-foreground text-xs">{t('views.isDefault')}</span>}
          </DropdownMenuRadioItem>
        ))}
      </>
    )
  return (
    <MenuPanel popup={popup} label={t('views.title')} align="start" className="max-w-80 min-w-60">
      <DropdownMenuRadioGroup value={shown?.id ?? ''}>
        {group(
          t('views.own'),
          views.views.filter(({ shared }) => !shared),
        )}
        {group(
          t(scope === 'all' ? 'views.sharedStaff' : 'views.shared'),
          views.views.filter(({ shared }) => shared),
        )}
      </DropdownMenuRadioGroup>
      {views.views.length > 0 && <DropdownMenuSeparator />}
      {shown !== null && <DropdownMenuItem onSelect={views.leave}>{t('views.leave')}</DropdownMenuItem>}
      <DropdownMenuItem onSelect={onSaveAs}>{t('views.saveAs')}</DropdownMenuItem>
      {shown !== null && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuCheckboxItem
            checked={shown.id === defaultId}
            onCheckedChange={(on) => choose.mutate(on ? shown.id : null)}
          >
            {t('views.makeDefault')}
          </DropdownMenuCheckboxItem>
          {shown.editable && (
            <>
              <DropdownMenuItem onSelect={onRename}>{t('views.rename')}</DropdownMenuItem>
              <DropdownMenuItem variant="destructive" onSelect={() => remove.mutate(shown)}>
                {t('views.delete')}
              </DropdownMenuItem>
            </>
          )}
        </>
      )}
    </MenuPanel>
  )
}
