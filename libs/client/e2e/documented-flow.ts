import { card, defineFlow, modal } from '@waymark/testing/builders';

/** A flow that the first pages of docs/clients.md show: a modal with a button, then a card. */
export const onboarding = defineFlow({
  flow: 'onboarding',
  blocks: {
    welcome: (id) => ({
      ...modal({ complete: 'after', dismiss: 'finish' })(id),
      fields: [
        { sid: 'title', type: 'string', value: 'Hello' },
        {
          sid: 'body',
          type: 'richText',
          value: [{ type: 'paragraph', children: [{ text: 'It works.' }] }],
        },
        { sid: 'complete-label', type: 'string', value: 'Show me' },
      ],
    }),
    after: card(),
  },
});
