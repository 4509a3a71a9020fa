/** A flow for each type, as authors write them. */
export const FLOWS = {
  hello: `
    flow: hello
    start: welcome
    blocks:
      welcome:
        type: modal
        fields: { title: Welcome, body: "It **works**. [More](https://elsewhere.test/more)", complete-label: Show me, dismiss-label: Not now }
        paths: { complete: second, dismiss: finish }
      second:
        type: modal
        fields: { body: And again, complete-label: Close, dismiss-label: '' }
        paths: { complete: finish }
  `,
  note: `
    flow: note
    start: tip
    blocks:
      tip:
        type: card
        fields: { title: A tip, body: Press a key., complete-label: Fine, dismiss-label: Later }
        paths: { 'complete,dismiss': finish }
  `,
  todo: `
    flow: todo
    start: list
    blocks:
      list:
        type: checklist
        fields: { title: First steps, body: Ten minutes. }
        items:
          photo: { fields: { title: Add a photo, body: Smile., complete-label: Upload } }
          team: { fields: { title: Join your team, complete-label: Joined, skip-label: Skip it } }
        paths: { 'complete,dismiss': finish }
  `,
  round: `
    flow: round
    start: tour
    blocks:
      tour:
        type: tour
        items:
          one: { fields: { title: The first, body: Begin here. } }
          two: { fields: { title: The second, anchor: '#second' } }
          three: { fields: { title: The third, next-label: Done } }
        paths: { 'complete,dismiss': finish }
  `,
  spots: `
    flow: spots
    start: hints
    blocks:
      hints:
        type: hints
        items:
          save: { fields: { title: Saving, body: By itself., complete-label: OK } }
          share: { fields: { title: Sharing, complete-label: OK, dismiss-all-label: No more hints } }
        paths: { 'complete,dismiss': finish }
  `,
  survey: `
    flow: survey
    start: question
    blocks:
      question:
        type: custom
        fields: { question: How was it? }
        paths: { answered: finish }
  `,
} as const;
