// Made by `waymark types` from the flows: run it again when they change.
import type { RichText } from '@waymark/client';

declare module '@waymark/client' {
  interface Flows {
    onboarding: {
      welcome: {
        type: 'modal';
        transitions: 'complete' | 'dismiss';
        fields: {
          title: string;
          body: RichText;
          'complete-label': string;
          'dismiss-label': string;
        };
      };
      setup: {
        type: 'checklist';
        transitions: 'complete' | 'dismiss';
        fields: {
          title: string;
          body: RichText;
        };
        items: 'invite' | 'connect';
      };
      invite: {
        type: 'checklistItem';
        transitions: 'complete' | 'skip';
        fields: {
          title: string;
          body: RichText;
          'complete-label': string;
          'display-index': number;
        };
      };
      connect: {
        type: 'checklistItem';
        transitions: 'complete' | 'skip';
        fields: {
          title: string;
          body: RichText;
          'complete-label': string;
          'display-index': number;
        };
      };
      tour: {
        type: 'tour';
        transitions: 'complete' | 'dismiss';
        fields: {};
        items: 'first' | 'second';
      };
      first: {
        type: 'tourItem';
        transitions: 'next' | 'previous';
        fields: {
          title: string;
          body: RichText;
          'next-label': string;
          'back-label': string;
          'display-index': number;
        };
      };
      second: {
        type: 'tourItem';
        transitions: 'next' | 'previous';
        fields: {
          title: string;
          body: RichText;
          'next-label': string;
          'back-label': string;
          'display-index': number;
        };
      };
      'tour-alone': {
        type: 'tour';
        transitions: 'complete' | 'dismiss';
        fields: {};
        items: 'only';
      };
      only: {
        type: 'tourItem';
        transitions: 'next' | 'previous';
        fields: {
          title: string;
          body: RichText | null;
          'next-label': string;
          'back-label': string;
          'display-index': number;
        };
      };
      survey: {
        type: 'custom';
        transitions: 'answered' | 'skipped' | 'back';
        fields: {
          question: string;
          max: number;
          required: boolean;
          thanks: RichText;
        };
      };
    };
  }
}
