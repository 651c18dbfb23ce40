import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DialogPanelBody, DialogPanel } from '@/components/dialog-panel'
import { Dialog } from '@/components/ui/dialog'
import { objectives } from '@/app/actions'

type GoalPickerDialogProps = {
  readonly open: boolean
  readonly audio: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Selects the objective before the form opens, because it decides which fields the form has. */
export function GoalPickerDialog({ open, audio, onOpenChange }: GoalPickerDialogProps) {
  const { t } = useTranslation('campaigns')
  const navigate = useNavigate()
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogPanel title={t('goalPicker.title')} description={t('goalPicker.text')} className="w-[560px]">
        <DialogPanelBody className="gap-2 pb-6">
          {objectives({ audio }).map(({ key, type, Icon }) => (
            <button
              key={key}
              type="button"
              aria-label={t(`goalPicker.${key}`)}
              aria-describedby={`goal-${key}`}
              onClick={() => void navigate({ to: '/campaign/create', search: { tab: 'basicInfo', type } })}
              className="border-border hover:border-primary-ink hover:bg-primary-tint rounded-lg flex items-center gap-4 border p-4 text-left transition-colors"
            >
              <span className="bg-primary-tint text-primary-ink grid size-10 shrink-0 place-items-center rounded-full">
                <Icon aria-hidden className="size-5" />
              </span>
              <span>
                <span className="block font-semibold">{t(`goalPicker.${key}`)}</span>
                <span id={`goal-${key}`} className="text-muted-foreground block">
                  {t(`goalPicker.${key}Text`)}
                </span>
              </span>
            </button>
          ))}
        </DialogPanelBody>
      </DialogPanel>
    </Dialog>
  )
}
