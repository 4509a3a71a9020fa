// The service that everybody would write first: NestJS, a validated DTO, and TypeORM's `upsert`.
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsNotEmpty, IsObject, IsString, MaxLength } from 'class-validator';
import {
  Column,
  CreateDateColumn,
  Entity,
  PrimaryColumn,
  Repository,
  UpdateDateColumn,
} from 'typeorm';
import { v5 } from 'uuid';

const ENVIRONMENT = process.env['ENVIRONMENT_ID']!;

@Entity('users')
class User {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId: string;

  @Column('uuid', { name: 'environment_id' })
  environmentId: string;

  @Column('text')
  identifier: string;

  @Column('jsonb')
  properties: object;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}

class IdentifyDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(512)
  identifier: string;

  @IsObject()
  properties: object;
}

@Controller('identify')
class IdentifyController {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  @Post()
  @HttpCode(204)
  async identify(@Body() { identifier, properties }: IdentifyDto): Promise<void> {
    const userId = v5(identifier, ENVIRONMENT);
    await this.users.upsert({ userId, environmentId: ENVIRONMENT, identifier, properties }, [
      'userId',
    ]);
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL']!,
      entities: [User],
      poolSize: Number(process.env['POOL_SIZE']),
    }),
    TypeOrmModule.forFeature([User]),
  ],
  controllers: [IdentifyController],
})
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: false,
});
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(0, '127.0.0.1');
process.stdout.write(`${JSON.stringify({ url: await app.getUrl() })}\n`);
