import { removeRowsOf } from '#platform/identity/rows-of'
import { CHAT_ENDPOINTS } from '#contract/chat'
import { createConversations } from '#platform/chat/conversations'
import { area } from '../area.ts'
import { registerChatRoutes } from './chat-routes.ts'

export const chat = area({
  name: 'chat',
  summary: 'Conversations of users with the staff of their white-label',
  endpoints: CHAT_ENDPOINTS,
  uses: ['db', 'limits', 'people', 'whiteLabels'],
  tables: ['app.chats', 'app.chat_messages'],
  erase: { within: removeRowsOf('app.chats') },
  register: (app, kit) => registerChatRoutes(app, kit, createConversations(kit)),
})
