import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { changeRoles, type TeamMember } from '#contract/team'
import type { Role } from '#domain/kit/access'
import { FormDialog } from '@/components/form/form-dialog'
import { markSaved, namedField, showFaults, useShortForm } from '@/components/form/short-form'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { RoleField } from './role-field.tsx'
import { nameOf, useRoleNames } from './role-names.ts'
import { actionFault, teamFaultText } from './team-faults.ts'
import { teamQueries } from './team-queries.ts'

type Values = { readonly roles: string }

type RoleDialogProps = {
  readonly spaceId: string
  readonly person: TeamMember
  /** Roles that the person may get, and theirs. */
  readonly roles: readonly Role[]
  readonly onClose: () => void
}

/** Gives a person another role in place of those that they have. */
export function RoleDialog({ spaceId, person, roles, onClose }: RoleDialogProps) {
  const { t } = useTranslation('team')
  const roleNames = useRoleNames()
  const name = nameOf(person)
  const [only = '', ...others] = person.roles
  const form = useShortForm<Values>({ roles: others.length === 0 ? only : '' }, (values) => ({
    roles: values.roles === '' ? t('role.required') : null,
  }))
  const { mutate, isPending } = useMutation({
    meta: { silent: true, invalidates: [teamQueries.all(), ['approvals']] },
    mutationFn: ({ roles: chosen }: Values) =>
      call(changeRoles, { params: { id: spaceId, person: person.id }, body: { roles: roles.filter((role) => role === chosen) } }),
    onSuccess: ({ approval_id }) => {
      toast.success(approval_id === null ? t('done.roles', { name }) : t('done.waiting'))
      markSaved(form)
      onClose()
    },
    onError: (error) => {
      if (!showFaults(form, error, { fieldOf: namedField(['roles']), textOf: teamFaultText })) toast.error(actionFault(error))
    },
  })
  return (
    <FormDialog
      title={t('roles.title', { name })}
      description={t('roles.text', { roles: roleNames(person.roles) })}
      form={form}
      confirm={t('roles.confirm')}
      disabled={isPending}
      onClose={onClose}
      onSubmit={(values) => mutate(values)}
    >
      <RoleField name="roles" roles={roles} />
    </FormDialog>
  )
}
